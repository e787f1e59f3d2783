#!/usr/bin/perl
# A whole bot for ACPC dealers in another language, from the protocol's text alone: it raises with a pair,
# calls what is cheap or what an ace or a king is worth, and checks or folds the rest.
#
#     perl pairs_bot.pl HOST PORT GAME.game        GAME.game is the game definition that the dealer was given
#
# Perl in a line: $x holds one thing, @x a list of which $x[0] is the first, %x a map in which $x{key} is looked up;
# grep { test } @x are those for which the test holds, or how many; regular expressions stand between slashes.
use strict;
use warnings;
use IO::Socket::INET;
use List::Util qw(max min sum);

my ($host, $port, $game_file) = @ARGV;
my %game = read_game($game_file);
my @seats = 0 .. $game{numplayers}[0] - 1;
my @stack = @{ $game{stack} || [ map { 2**31 } @seats ] };    # in limit games nobody runs out of chips
my $big_blind = max @{ $game{blind} };
my $dealer = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port, Proto => 'tcp') or die "no dealer: $@\n";
print $dealer "VERSION:2.0.0\r\n";      # the greeting; after it the dealer talks and we answer

while (my $line = <$dealer>) {          # no line comes any more when the match is over
    $line =~ s/\r?\n$//;
    next unless my ($seat, $betting, $cards) = $line =~ /^MATCHSTATE:(\d+):\d+:([^:]*):(.*)$/;    # else a comment
    my %state = replay($betting);
    print $dealer "$line:", choose($seat, $cards, %state), "\r\n" if $state{actor} == $seat;      # echo and action
}

# What the definition says: a list of numbers for each key, and whether raises have sizes.
sub read_game {
    my %read = (nolimit => 0);
    open my $file, '<', $_[0] or die "$_[0]: $!\n";
    while (<$file>) {
        $read{nolimit} = 1 if /^nolimit/i;
        $read{ lc $1 } = [ split ' ', $2 ] if /^(\w+)\s*=\s*([\d\s]+)/;
    }
    return %read;
}

# The hand after a betting text such as "cr300c/cr900": chips put in by seat, who is to act (-1: nobody), what may come.
sub replay {
    my ($text) = @_;
    my %now = (spent => [ @{ $game{blind} } ], max => $big_blind, street => -1);
    my %folded;
    my $able = sub { grep { !$folded{$_} && $now{spent}[$_] < $stack[$_] } @_ };    # those of some seats who can act
    my $open = sub {                    # a street begins; where only one can act there is no betting on it
        @now{qw(street raises min_raise_to)} = ($now{street} + 1, 0, $now{max} + $big_blind);
        my $first = ($game{firstplayer}[ $now{street} ] // 1) - 1;
        $now{to_act} = $able->(@seats) > 1 ? $able->(@seats) : 0;
        $now{actor} = $now{to_act} ? ($able->($first .. $#seats, @seats))[0] : -1;
    };
    $open->();
    for my $action ($text =~ /r\d*|[fc\/]/g) {
        if ($action eq '/') { $open->(); next }
        my $actor = $now{actor};
        $now{to_act}--;
        if ($action eq 'f') { $folded{$actor} = 1 }
        elsif ($action eq 'c') { $now{spent}[$actor] = min($now{max}, $stack[$actor]) }
        else {
            my $to = $game{nolimit} ? substr($action, 1) : $now{max} + $game{raisesize}[ $now{street} ];
            $now{spent}[$actor] = $to = min($to, $stack[$actor]);
            $now{min_raise_to} = max($now{min_raise_to}, 2 * $to - $now{max});
            @now{qw(max raises)} = ($to, $now{raises} + 1);
            $now{to_act} = $able->(grep { $_ != $actor } @seats);    # all others must answer
        }
        $now{actor} = $now{to_act} && keys(%folded) < $#seats ? ($able->($actor + 1 .. $#seats, @seats))[0] : -1;
    }
    $now{num_others} = $able->(grep { $_ != $now{actor} } @seats);
    return %now;
}

# The action: f, c (which is also a check), r, or in no-limit games r and all the chips that we will have put in.
sub choose {
    my ($seat, $cards, %state) = @_;
    my ($hands, $board) = split m{/}, $cards, 2;
    my @own   = (split /\|/, $hands, -1)[$seat] =~ /([2-9TJQKA])[cdhs]/g;    # ranks; hands we may not see are empty
    my @table = ($board // '') =~ /([2-9TJQKA])[cdhs]/g;
    my %count;
    $count{$_}++ for @own, @table;
    my $has_pair = grep { $count{$_} > 1 } @own;
    my ($pot, $to_call) = (sum(@{ $state{spent} }), $state{max} - $state{spent}[$seat]);
    my $most_raises = $game{maxraises} ? $game{maxraises}[ $state{street} ] : 3;
    if ($has_pair && $state{raises} < $most_raises && $state{num_others} && $stack[$seat] > $state{max}) {
        my $half_pot = $state{max} + int(($pot + $to_call) / 2);
        return $game{nolimit} ? 'r' . min($stack[$seat], max($half_pot, $state{min_raise_to})) : 'r';
    }
    my $is_worth_it = $has_pair || 4 * $to_call <= $pot || ("@own" =~ /[AK]/ && 2 * $to_call <= $pot);
    return $is_worth_it ? 'c' : 'f';    # with nothing to call this is a check
}
